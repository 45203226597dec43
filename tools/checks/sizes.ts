import { parseSync, Visitor, type Node } from 'oxc-parser';
import { isCode, isTest, type Finding, type SourceFile } from './source-file.ts';

type FunctionSize = { name: string; lines: number };

/** Lines of the middle one and of the one that nine tenths stay under. */
export type Spread = { count: number; median: number; p90: number };

const functionLines = 60;
const functionP90 = 40;

/**
 * Checks sizes that the linter cannot: it caps functions in .tsx at a component's 120 lines, so the 60 of
 * everything else there is held here, and so is the spread of functions over the whole tree. A file ends where its idea
 * ends, so that only its cap (in .oxlintrc.json) counts.
 */
export function checkSizes(files: SourceFile[]): Finding[] {
  const sources = files.filter((file) => isCode(file.path) && !isTest(file.path));
  const { functions } = measure(files);
  return [
    ...sources.filter((file) => file.path.endsWith('.tsx')).flatMap(longFunctions),
    ...tooWide('functions', functions),
  ];
}

/** The spread of lines over files and functions, tests aside. */
export function measure(files: SourceFile[]): { files: Spread; functions: Spread } {
  const sources = files.filter((file) => isCode(file.path) && !isTest(file.path));
  return {
    files: spread(sources.map((file) => lineCount(file.text))),
    functions: spread(sources.flatMap((file) => functionsOf(file).map(({ lines }) => lines))),
  };
}

function longFunctions(file: SourceFile): Finding[] {
  return functionsOf(file)
    .filter(({ name, lines }) => !isComponentName(name) && lines > functionLines)
    .map(({ name, lines }) => ({
      path: file.path,
      message: `${name || 'a function'} has ${lines} lines (${functionLines} at most outside components): split it by what it does`,
    }));
}

function tooWide(what: string, found: Spread): Finding[] {
  return found.p90 > functionP90
    ? [
        {
          path: '(all)',
          message: `${what} have ${found.p90} lines at the 90th percentile (${functionP90} at most): split the longest`,
        },
      ]
    : [];
}

function functionsOf(file: SourceFile): FunctionSize[] {
  const names = new Map<number, string>();
  const found: FunctionSize[] = [];
  const note = (node: Node, name?: string): void => {
    const lines = lineCount(file.text.slice(node.start, node.end));
    found.push({ name: name ?? names.get(node.start) ?? '', lines });
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) names.set(init.start, id.name);
    },
    FunctionDeclaration: (node) => note(node, node.id?.name),
    FunctionExpression: (node) => note(node, node.id?.name),
    ArrowFunctionExpression: (node) => note(node),
  }).visit(parseSync(file.path, file.text).program);
  return found;
}

function isComponentName(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.trimEnd().split('\n').length;
}

function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { count: sorted.length, median: at(0.5), p90: at(0.9) };
}
