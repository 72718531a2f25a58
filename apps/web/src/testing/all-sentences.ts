/** For tests of a part without the page that loads its texts. A test file imported here would run in every test that uses this. */
import.meta.glob(["../en/*.ts", "!../en/*.test.ts"], { eager: true });
