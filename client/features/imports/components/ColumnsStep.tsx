import { Link } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { formatCount, plural } from '../../../core/words.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import FileQuestion from 'lucide-react/icons/file-question-mark';
import type { useChanges } from '../hooks/use-changes.ts';
import {
  columnsOf,
  isEmpty,
  type Open,
  openChoices,
  type Table,
  unmatchedOf,
  wholeFilesOf,
} from '../rules.columns.ts';
import { kindLabels, NEW_IMPORT, noteName } from '../rules.ts';
import { KindFields } from './KindFields.tsx';
import { TwoColumns } from './TwoColumns.tsx';
import { WordTable } from './WordTable.tsx';

interface ColumnsStepProps {
  changes: ReturnType<typeof useChanges>;
  /** Once something was moved, the columns can only be read. */
  isFixed: boolean;
}

const tables: readonly Table[] = ['type', 'status', 'people'];

/** The second step: which column fills which field, and what the other system's words mean here. */
export function ColumnsStep({ changes, isFixed }: ColumnsStepProps) {
  const { shown, change } = changes;
  const kinds = columnsOf(shown);
  const open = isFixed ? [] : openChoices(shown);
  return (
    <TwoColumns
      aside={
        <>
          {/* On a narrow screen, where this column is below all fields, it is above them instead. */}
          {open.length > 0 && <StillToChoose open={open} />}
          <Left of={shown} />
        </>
      }
    >
      {open.length > 0 && <StillToChoose open={open} />}
      {isFixed && (
        <p className="pb-4 text-sm text-ink-2">
          {shown.state === 'running'
            ? 'Columns do not change while it runs.'
            : 'These columns were used, and no longer change. A new import can use others.'}
        </p>
      )}
      {kinds.length === 0 && <WithoutColumns of={shown} />}
      <fieldset disabled={isFixed} className="move-in-kinds">
        {kinds.map((columns) => (
          <KindFields
            key={columns.kind}
            of={shown}
            columns={columns}
            onFill={(kind, field, filling) => change({ mapping: { [kind]: { [field]: filling } } })}
          />
        ))}
        {tables.map((table) => (
          <WordTable
            key={table}
            of={shown}
            table={table}
            onChoose={(at, word, ours) => change({ tables: { [at]: { [word]: ours } } })}
          />
        ))}
      </fieldset>
    </TwoColumns>
  );
}

function WithoutColumns({ of }: { of: Import }) {
  if (wholeFilesOf(of).length > 0)
    return (
      <p className="text-ink-2">
        These files are read as they are: there are no columns to choose.
      </p>
    );
  const again = (
    <Link to={NEW_IMPORT} className={buttonClass()}>
      New import
    </Link>
  );
  return (
    <EmptyState icon={FileQuestion} title="No file is recognized" action={again}>
      {of.files.some(isEmpty)
        ? 'The files have no rows. Export them again, and add them to a new import.'
        : 'None of the files has columns that this system is known by. Choose “Spreadsheets” in a new import, and say what each column is.'}
    </EmptyState>
  );
}

function StillToChoose({ open }: { open: readonly Open[] }) {
  return (
    <section className="move-in-open">
      <h2 className="text-heading font-semibold">Still to choose</h2>
      <ul className="mt-2 space-y-2 text-sm">
        {open.map(({ at, text, words }) => (
          <li key={text}>
            <a href={`#${at}`} className="link">
              {text}
            </a>
            <span className="block text-ink-2">{words}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Columns that no field takes, and files that have none. */
function Left({ of }: { of: Import }) {
  const kinds = columnsOf(of);
  const unmatched = kinds.flatMap((columns) => {
    const headers = unmatchedOf(of.mapping, columns);
    return headers.length > 0 ? [{ kind: columns.kind, headers }] : [];
  });
  const whole = wholeFilesOf(of);
  return (
    <>
      {kinds.length > 0 && (
        <section>
          <h2 className="text-heading font-semibold">Columns without a field</h2>
          {unmatched.length === 0 ? (
            <p className="mt-2 text-sm text-ink-2">None. Every column has a field.</p>
          ) : (
            <dl className="mt-2 space-y-3 text-sm">
              {unmatched.map(({ kind, headers }) => (
                <div key={kind}>
                  <dt className="font-medium">{kindLabels[kind]}</dt>
                  <dd className="text-ink-2 wrap-anywhere">{headers.join(', ')}</dd>
                  {keptWords(of, kind) !== '' && (
                    <dd className="mt-0.5 text-note text-ink-3">{keptWords(of, kind)}</dd>
                  )}
                </div>
              ))}
            </dl>
          )}
        </section>
      )}
      {whole.length > 0 && (
        <section>
          <h2 className="text-heading font-semibold">Read without columns</h2>
          <dl className="mt-2 space-y-1 text-sm">
            {whole.map(({ kind, count }) => (
              <div key={kind} className="flex justify-between gap-4">
                <dt>{kindLabels[kind]}</dt>
                <dd className="text-ink-2 tabular-nums">
                  {`${formatCount(count)} ${plural(count, 'file')}`}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

function keptWords(of: Import, kind: keyof typeof kindLabels): string {
  if (kind === 'matters') return `Kept in one pinned note per matter, “${noteName(of)}”.`;
  return kind === 'contacts' ? 'Kept in the notes of each contact.' : '';
}
