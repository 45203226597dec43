import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
import { isCode, isTest, type Finding, type SourceFile } from './source-file.ts';

type Expression = { pattern: string; flags: string; offset: number };

/**
 * Holds the product's regular expressions to a time that grows with the text and not with its square, whether they try
 * again within a match or from each character: what a stranger writes may be long.
 */
export function checkExpressions(files: SourceFile[]): Finding[] {
  return files.filter(isOfProduct).flatMap((file) =>
    expressionsIn(file).flatMap((expression) => {
      const text = slowOn(expression);
      if (text === undefined) return [];
      const path = `${file.path}:${file.text.slice(0, expression.offset).split('\n').length}`;
      const message = `/${expression.pattern}/ takes quadratic time on repeated ${text}: bound its repetitions, anchor it, or do without it`;
      return [{ path, message }];
    }),
  );
}

function isOfProduct({ path }: SourceFile): boolean {
  const isOurs = /^(contract|server|client)\//.test(path) && !/\/testing\//.test(path);
  return isCode(path) && isOurs && !isTest(path);
}

function expressionsIn(file: SourceFile): Expression[] {
  const found: Expression[] = [];
  const { program } = parseSync(file.path, file.text);
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ ...node.regex, offset: node.start });
    },
  }).visit(program);
  return found;
}

/** Text whose repetition makes the expression slow, if any. */
function slowOn({ pattern, flags }: Expression): string | undefined {
  const { reports } = analyse({ source: pattern, flags }, { reportTypes: { Move: true } });
  const [report] = reports;
  return report && JSON.stringify(report.character.pick);
}
