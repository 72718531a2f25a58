/** For tests of a part without the page that brings its sentences. */
import.meta.glob("../en/*.ts", { eager: true });
