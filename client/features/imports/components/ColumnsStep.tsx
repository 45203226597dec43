import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import FileQuestion from 'lucide-react/icons/file-question-mark';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { caseTypes, statuses, statusTypes } from '@matterdesk/contract/cases.ts';
import type { ImportField, ImportKind, Import } from '@matterdesk/contract/imports.ts';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { counted, formatCount, plural } from '../../../core/words.ts';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import type { useChanges } from '../hooks/use-import.ts';
import {
  choicesOf,
  columnsOf,
  type FieldSource,
  fieldSourceOf,
  isEmpty,
  isMarked,
  type KindColumns,
  missingOf,
  type OpenChoice,
  openChoices,
  splitFields,
  type Table,
  unmatchedOf,
  wholeFilesOf,
  wordsOf,
} from '../rules.columns.ts';
import { kindLabels, NEW_IMPORT, noteName, systemOf } from '../rules.ts';
import { KindName } from './KindName.tsx';
import { TwoColumns } from './Steps.tsx';

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
          <Unmatched of={shown} />
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
        ? 'No rows can be read in the files. A table is a CSV file or a workbook, not a PDF or a picture of one. Export them again, and add them to a new import.'
        : 'None of these files looks like an export from this system. Choose “Spreadsheets” in a new import, and say what each column is.'}
    </EmptyState>
  );
}

function StillToChoose({ open }: { open: readonly OpenChoice[] }) {
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
function Unmatched({ of }: { of: Import }) {
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

interface WordTableProps {
  of: Import;
  table: Table;
  onChoose: (table: Table, word: string, ours: string | null) => void;
}

const titles: Record<Table, string> = { type: 'Types', status: 'Statuses', people: 'People' };
const placeholders: Record<Table, string> = {
  type: 'Choose a type',
  status: 'None of these',
  people: 'Has left',
};

/** Words that are shown at once: each has a choice of everyone. */
const PAGE = 60;

/** Words of the other system, each with ours. */
function WordTable({ of, table, onChoose }: WordTableProps) {
  const id = useId();
  const options = useOptions(table);
  const [limit, setLimit] = useState(PAGE);
  const words = wordsOf(of, table);
  const rest = words.length - limit;
  if (words.length === 0) return null;
  const system = systemOf(of);
  return (
    <section id={`words-${table}`} aria-labelledby={id}>
      <h2 id={id} className="text-heading font-semibold">
        {titles[table]}
      </h2>
      <p className="mt-0.5 text-sm text-pretty text-ink-2">{explainTable(table, system)}</p>
      <ul className="move-in-words mt-2 divide-y divide-line">
        {words.slice(0, limit).map((word) => {
          const ours = of.tables[table][word] ?? null;
          const isOpen = table === 'type' && ours === null;
          return (
            <li key={word} className="py-1.5">
              <span className="wrap-anywhere">{word}</span>
              <ChevronRight className="text-ink-3" />
              <Select
                aria-label={`${word} becomes`}
                aria-invalid={isOpen || undefined}
                placeholder={placeholders[table]}
                options={options}
                value={ours ?? ''}
                onChange={({ target }) => onChoose(table, word, target.value || null)}
              />
              {isOpen && <span className="text-sm text-red">Not chosen yet</span>}
            </li>
          );
        })}
      </ul>
      {rest > 0 && (
        <Button size="small" className="mt-2" onClick={() => setLimit(limit + PAGE)}>
          {`Show ${formatCount(Math.min(PAGE, rest))} more of ${formatCount(words.length)}`}
        </Button>
      )}
    </section>
  );
}

function explainTable(table: Table, system: string): string {
  if (table === 'type')
    return `Choose the type that each type in ${system} becomes. Matters without a type are refused.`;
  if (table === 'status')
    return 'Active and Archive only open or close the matter. Without a choice, it is active and Pre-List.';
  return `Names in ${system}. Those who have left become inactive users who can’t sign in, so that their names stay.`;
}

function useOptions(table: Table) {
  const { people } = usePeople();
  if (table === 'type') return caseTypes;
  if (table === 'status') return [...statusTypes, ...statuses];
  const sorted = people.toSorted((a, b) => Number(b.active) - Number(a.active));
  return sorted.map((person) => ({
    value: person.id,
    label: person.active ? fullName(person) : `${fullName(person)} (inactive)`,
  }));
}

interface KindFieldsProps {
  of: Import;
  columns: KindColumns;
  onFill: (kind: ImportKind, field: string, filling: FieldSource) => void;
}

/** The fields of a kind, each with the column that fills it. */
function KindFields({ of: { mapping }, columns, onFill }: KindFieldsProps) {
  const { kind, files, headers } = columns;
  const [isOpen, setIsOpen] = useState(false);
  // Which fields fold is decided once: none moves while it is being changed.
  const [{ first, others }] = useState(() => splitFields(mapping, kind));
  const missing = missingOf(mapping, kind);
  const id = useId();
  const isMissing = ({ needed }: ImportField) => missing.some((group) => group.needed === needed);
  const shown = isOpen ? [...first, ...others] : first;
  return (
    <section id={`columns-${kind}`} aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-heading font-semibold">
          <KindName kind={kind} />
        </h2>
        <p className="min-w-0 text-note text-ink-3 wrap-anywhere">{fileNamesInWords(files)}</p>
      </div>
      {missing.map(({ needed, words }) => (
        <p key={needed} role="status" className="mt-2 text-sm text-red">
          {`Required: choose the column of ${words}.`}
        </p>
      ))}
      <div className="move-in-fields mt-3">
        {shown.map((field) => (
          <FieldChoice
            key={field.key}
            kind={kind}
            field={field}
            headers={headers}
            filling={fieldSourceOf(mapping, kind, field.key)}
            isRequired={isMarked(mapping, kind, field)}
            isMissing={isMissing(field)}
            onFill={(filling) => onFill(kind, field.key, filling)}
          />
        ))}
      </div>
      {others.length > 0 && (
        <Button
          size="small"
          variant="quiet"
          {...(!isOpen && { iconAfter: ChevronDown })}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'} ${counted(others.length, 'more field')} of ${kindLabels[kind].toLowerCase()}`}
          className="mt-3 -ml-[9px]"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide empty fields' : counted(others.length, 'more field')}
        </Button>
      )}
    </section>
  );
}

const FILES_SHOWN = 3;

function fileNamesInWords(files: readonly string[]): string {
  const rest = files.length - FILES_SHOWN;
  const names = files.slice(0, FILES_SHOWN).join(', ');
  return rest > 0 ? `${names}, and ${counted(rest, 'more file')}` : names;
}

interface FieldChoiceProps {
  kind: ImportKind;
  field: ImportField;
  headers: readonly string[];
  filling: FieldSource;
  isRequired: boolean;
  isMissing: boolean;
  onFill: (filling: FieldSource) => void;
}

const OWN = '=';

function FieldChoice(props: FieldChoiceProps) {
  const { kind, field, headers, filling, isRequired, isMissing, onFill } = props;
  const choices = choicesOf(kind, field.key);
  const [isFixed, setIsFixed] = useState(false);
  const value = filling !== null && typeof filling === 'object' ? filling.value : null;
  const isTyped = choices === null && (isFixed || value !== null);
  const options = [
    ...headers.map((header) => ({ value: `:${header}`, label: header })),
    ...(choices?.map((choice) => ({
      value: `=${choice}`,
      label: `${choice} for every matter`,
    })) ?? [{ value: OWN, label: 'The same value in every row …' }]),
  ];
  const handleChange = (chosen: string) => {
    setIsFixed(chosen === OWN);
    if (chosen === OWN) return;
    if (chosen === '') onFill(null);
    else onFill(chosen.startsWith(':') ? chosen.slice(1) : { value: chosen.slice(1) });
  };
  return (
    <div>
      <Field
        label={field.label}
        required={isRequired}
        {...(isMissing && { error: 'Choose a column' })}
      >
        <Select
          placeholder="Not in the files"
          options={options}
          value={
            isTyped
              ? OWN
              : value !== null
                ? `=${value}`
                : typeof filling === 'string'
                  ? `:${filling}`
                  : ''
          }
          onChange={({ target }) => handleChange(target.value)}
        />
      </Field>
      {isTyped && <FixedValue label={field.label} value={value ?? ''} onFill={onFill} />}
    </div>
  );
}

interface FixedValueProps {
  label: string;
  value: string;
  onFill: (filling: FieldSource) => void;
}

/** Saved when it is left, or by Enter. */
function FixedValue({ label, value, onFill }: FixedValueProps) {
  const [text, setText] = useState(value);
  const save = () => {
    const now = text.trim();
    if (now !== value) onFill(now === '' ? null : { value: now });
  };
  return (
    <TextInput
      aria-label={`${label} in every row`}
      placeholder="Value"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it answers the choice that was just made
      autoFocus={value === ''}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
      }}
      className="mt-1.5"
    />
  );
}
