import { expect, it } from "vitest";
import { fieldsOf } from "./row-text.ts";

it.each([
  ["(1,fern,t)", ["1", "fern", "t"]],
  ["(,a,)", [null, "a", null]],
  ['("","","")', ["", "", ""]],
  ["()", [null]],
  ['("a,b","(c)"," d ")', ["a,b", "(c)", " d "]],
  ['("say ""hi""","back\\\\slash","\\\\""")', ['say "hi"', "back\\slash", '\\"']],
  ["(1,山田　太郎,a\u00a0b,\u2003,x)", ["1", "山田　太郎", "a\u00a0b", "\u2003", "x"]],
  ['("two\nlines",Größe🌿,"{1,2}")', ["two\nlines", "Größe🌿", "{1,2}"]],
])("reads %j", (row, fields) => expect(fieldsOf(row)).toEqual(fields));
