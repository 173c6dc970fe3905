/** The tests that a checkout states, read from its files without running them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

/** `times`: the elements of a list that stands in the call; 1 where the list is made elsewhere. */
export type StatedTest = { file: string; name: string; isLongForm: boolean; times: number };

type SyntaxNode = { type: string; [key: string]: unknown };
type EnclosingGroup = { names: string[]; isLongForm: boolean };

const FUNCTIONS = new Set(["test", "it", "describe", "job"]);

const isNode = (value: unknown): value is SyntaxNode => typeof value === "object" && value !== null && "type" in value;

/** `test`, `test.each(LIST)`, `describe.runIf(CONDITION)`: the function's name, and the calls between it and the name of the test. */
const calledFunction = (callee: unknown): { name: string; options: { name: string; args: SyntaxNode[] }[] } | null => {
  if (!isNode(callee)) return null;
  if (callee.type === "Identifier") return FUNCTIONS.has(callee.name as string) ? { name: callee.name as string, options: [] } : null;
  if (callee.type === "MemberExpression") return calledFunction(callee.object);
  if (callee.type !== "CallExpression" || !isNode(callee.callee) || callee.callee.type !== "MemberExpression") return null;
  const inner = calledFunction(callee.callee);
  const property = callee.callee.property as SyntaxNode;
  return inner && { ...inner, options: [...inner.options, { name: property.name as string, args: callee.arguments as SyntaxNode[] }] };
};

const textOf = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
};

const withoutAs = (node: SyntaxNode | undefined): SyntaxNode | undefined =>
  node?.type === "TSAsExpression" || node?.type === "TSSatisfiesExpression" ? withoutAs(node.expression as SyntaxNode) : node;

const timesOf = (args: SyntaxNode[]): number => {
  const list = withoutAs(args[0]);
  if (list?.type !== "ArrayExpression") return 1;
  const elements = list.elements as SyntaxNode[];
  return elements.some(({ type }) => type === "SpreadElement") ? 1 : Math.max(1, elements.length);
};

const read = (file: string, text: string): StatedTest[] => {
  const found: StatedTest[] = [];
  const isLongCondition = (node: SyntaxNode | undefined): boolean =>
    node !== undefined && /TEST_STRESS|\b(IS_)?LONG\b/.test(text.slice(node.start as number, node.end as number));
  const visit = (value: unknown, group: EnclosingGroup): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, group);
    if (!isNode(value)) return;
    const called = value.type === "CallExpression" ? calledFunction(value.callee) : null;
    const args = value.type === "CallExpression" ? (value.arguments as SyntaxNode[]) : [];
    const name = called && textOf(args[0]);
    if (!called || name === null) {
      for (const [key, child] of Object.entries(value)) if (key !== "parent") visit(child, group);
      return;
    }
    const isLongForm = group.isLongForm || called.options.some((option) => option.name === "runIf" && isLongCondition(option.args[0]));
    const names = [...group.names, name];
    if (called.name === "describe") visit(args.slice(1), { names, isLongForm });
    else {
      const times = called.options.reduce((product, option) => product * (option.name === "each" ? timesOf(option.args) : 1), 1);
      found.push({ file, name: names.join(" > "), isLongForm, times });
    }
  };
  visit(parseSync(file, text).program, { names: [], isLongForm: false });
  return found;
};

/** Files that make tests for others, such as those of the page states, state tests too. */
const mayStateTests = (text: string): boolean => /from "vitest"|from "[./]*\/jobs\.ts"/.test(text);

export const statedTests = (root: string): StatedTest[] =>
  globSync("**/*.ts", { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
    .filter(({ text }) => mayStateTests(text))
    .flatMap(({ file, text }) => read(file, text));
