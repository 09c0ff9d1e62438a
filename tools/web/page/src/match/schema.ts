import * as v from "valibot";
import { InputError } from "../game/fault";

export const text = v.fallback(v.string(), "");
export const number = v.fallback(v.number(), 0);
export const numberOrNull = v.fallback(v.nullable(v.number()), null);
export const score = v.fallback(
  v.nullable(v.union([v.object({ cp: v.number() }), v.object({ mate: v.number() })])),
  null,
);

/** Checks a value. The error names the first wrong field. */
export function check<const S extends v.GenericSchema>(schema: S, value: unknown, where: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = issue.path?.map(({ key }) => (typeof key === "number" ? key + 1 : String(key))).join(" ");
  const field = path === undefined ? "this" : `“${path}”`;
  const rest = issue.received === "undefined" ? "missing" : `${issue.received}; expected ${issue.expected}`;
  throw new InputError(`${where}: ${field} is ${rest}.`);
}
