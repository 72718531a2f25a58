// Where it may, zod compiles its checks. To find out it tries `new Function`, which our content security policy forbids and browsers
// report. It reads this when it is loaded, which most pages do later, and some never.
(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };
