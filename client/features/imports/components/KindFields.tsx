import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId, useState } from 'react';
import type { ImportField, ImportKind } from '@matterdesk/contract/import-fields.ts';
import type { Import } from '@matterdesk/contract/imports.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import {
  choicesOf,
  type Filling,
  fillingOf,
  isMarked,
  type KindColumns,
  missingOf,
  splitFields,
} from '../rules.columns.ts';
import { kindLabels } from '../rules.ts';
import { KindName } from './KindName.tsx';

interface KindFieldsProps {
  of: Import;
  columns: KindColumns;
  onFill: (kind: ImportKind, field: string, filling: Filling) => void;
}

/** The fields of a kind, each with the column that fills it. */
export function KindFields({ of: { mapping }, columns, onFill }: KindFieldsProps) {
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
        <p className="min-w-0 text-note text-ink-3 wrap-anywhere">{filesInWords(files)}</p>
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
            filling={fillingOf(mapping, kind, field.key)}
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
          {isOpen ? 'Hide the fields that nothing fills' : counted(others.length, 'more field')}
        </Button>
      )}
    </section>
  );
}

const FILES_SHOWN = 3;

function filesInWords(files: readonly string[]): string {
  const rest = files.length - FILES_SHOWN;
  const names = files.slice(0, FILES_SHOWN).join(', ');
  return rest > 0 ? `${names}, and ${counted(rest, 'more file')}` : names;
}

interface FieldChoiceProps {
  kind: ImportKind;
  field: ImportField;
  headers: readonly string[];
  filling: Filling;
  isRequired: boolean;
  isMissing: boolean;
  onFill: (filling: Filling) => void;
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
  onFill: (filling: Filling) => void;
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
