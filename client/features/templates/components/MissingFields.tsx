import type { TemplateInput } from '@matterdesk/contract/templates.ts';
import { formatCount } from '../../../core/words.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { isPerRecipient, placesInWords } from '../rules.ts';

type Row = TemplateInput & { recipients: string[] };

interface MissingFieldsProps {
  rows: readonly Row[];
  /** Number of those that are still empty. */
  empty: number;
  answers: Readonly<Record<string, string>>;
  onAnswer: (path: string, text: string) => void;
  /** Names of contacts by id. */
  names: ReadonlyMap<string, string>;
  /** Whether an answer can also be kept, by path. */
  canSave: (row: Row) => boolean;
  unsaved: ReadonlySet<string>;
  onSave: (path: string, isSaved: boolean) => void;
}

/** Fields that the letter lacks, to be filled here. */
export function MissingFields({ rows, empty, ...props }: MissingFieldsProps) {
  if (rows.length === 0)
    return (
      <section>
        <h3 className="text-heading font-semibold">Missing</h3>
        <p className="pt-1 text-ink-2">Nothing is missing.</p>
      </section>
    );
  return (
    <section aria-labelledby="missing-fields">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 pb-2">
        <h3 id="missing-fields" className="text-heading font-semibold">
          Missing <span className="font-normal text-ink-2">{formatCount(rows.length)}</span>
        </h3>
        <p className="text-sm text-ink-2" aria-live="polite">
          {empty === 0
            ? 'All are filled'
            : `${formatCount(empty)} still empty, yellow in the preview`}
        </p>
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {rows.map((row) => (
          <li key={row.path} id={`gap ${row.path}`} className="py-2.5">
            {isPerRecipient(row) ? (
              <PerRecipient row={row} {...props} />
            ) : (
              <Answer row={row} {...props} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type RowProps = { row: Row } & Omit<MissingFieldsProps, 'rows' | 'empty'>;

function Answer({ row, answers, onAnswer, canSave, unsaved, onSave }: RowProps) {
  const { path, label } = row;
  const where = row.isQuestion ? 'Asked by this template' : placesInWords(row);
  return (
    <div className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{label}</p>
        <p className="text-sm text-ink-2">{where}</p>
      </div>
      <div className="min-w-0 space-y-1.5">
        <Control row={row} value={answers[path] ?? ''} onChange={(text) => onAnswer(path, text)} />
        {canSave(row) && (
          <Checkbox
            label={path.startsWith('firm.') ? 'Also save to the firm' : 'Also save to the matter'}
            checked={!unsaved.has(path)}
            onChange={({ target }) => onSave(path, target.checked)}
          />
        )}
      </div>
    </div>
  );
}

function Control({
  row: { kind, choices, label },
  value,
  onChange,
}: {
  row: Row;
  value: string;
  onChange: (text: string) => void;
}) {
  switch (kind) {
    case 'choice':
      return (
        <Select
          aria-label={label}
          placeholder="Select one"
          options={choices}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'lines':
      return (
        <TextArea
          aria-label={label}
          rows={2}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'list':
      return <p className="text-sm text-ink-2">Add them to the matter.</p>;
    case 'date':
    case 'number':
    case 'text':
    case 'phone':
      return (
        <TextInput
          aria-label={label}
          type={kind === 'date' || kind === 'number' ? kind : 'text'}
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
  }
}

/** Each recipient has another, so that one answer here would be wrong for the others. */
function PerRecipient({ row, names }: RowProps) {
  const lacking = row.recipients.map((id) => names.get(id) ?? 'A contact');
  return (
    <div className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{row.label}</p>
        <p className="text-sm text-ink-2">{placesInWords(row)}</p>
      </div>
      <p className="text-sm text-ink-2">
        {`Empty for ${new Intl.ListFormat('en-US').format(lacking)}. Enter it in their contacts.`}
      </p>
    </div>
  );
}
