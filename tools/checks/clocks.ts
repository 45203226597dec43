import { type Finding, isCode, isTest, type SourceFile } from './source-file.ts';

/** A comparison with the clock that PostgreSQL reads anew for each row, or an age by it. */
const VOLATILE =
  /(?:[<>]=?\s|'[<>]=?',\s{0,20}sql<Date>`|\bbetween\s)clock_timestamp\(\)|clock_timestamp\(\)\s-/g;
const MESSAGE =
  'no index finds what is compared with clock_timestamp(), which may differ for each row: take statement_timestamp()';

/** Keeps the product's conditions to clocks that stand still within a statement, so that an index serves them. */
export function checkClocks(files: SourceFile[]): Finding[] {
  return files.filter(isOfServer).flatMap(({ path, text }) =>
    [...text.matchAll(VOLATILE)].map(({ index }) => ({
      path: `${path}:${text.slice(0, index).split('\n').length}`,
      message: MESSAGE,
    })),
  );
}

/** The migrations' triggers compare single rows. */
function isOfServer({ path }: SourceFile): boolean {
  const isOurs = path.startsWith('server/') && !/\/(?:testing|migrations)\//.test(path);
  return isCode(path) && isOurs && !isTest(path);
}
