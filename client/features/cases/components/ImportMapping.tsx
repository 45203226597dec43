import { type SubmitEvent, useState } from 'react';
import { caseColumns, columnOfHeader } from '@matterdesk/contract/case-import.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import type { Mapping } from '../api.ts';
import { humanise } from '../rules.ts';

interface ImportMappingProps {
  /** The first rows of the file, including its header. */
  head: string[][];
  onMapped: (mapping: Mapping) => void;
}

/** Chooses the column of each field, with the first value that it holds. */
export function ImportMapping({ head, onMapped }: ImportMappingProps) {
  const [header = [], first = []] = head;
  const headers = header.map((cell) => cell.trim());
  const [mapping, setMapping] = useState<Mapping>(() => recognize(headers));
  const options = [...new Set(headers.filter((cell) => cell !== ''))];
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    onMapped(mapping);
  };
  return (
    <form onSubmit={handleSubmit}>
      <h3 className="font-medium">Which column is which?</h3>
      <div className="mt-3 grid gap-x-5 gap-y-3 sm:grid-cols-2">
        {caseColumns.map((column) => {
          const chosen = mapping[column] ?? '';
          return (
            <Field
              key={column}
              required={column !== 'assignedUsers'}
              label={headerOf(column)}
              hint={first[headers.indexOf(chosen)]}
            >
              <Select
                placeholder="Select a column"
                options={options}
                value={chosen}
                onChange={({ target }) => setMapping(withColumn(mapping, column, target.value))}
              />
            </Field>
          );
        })}
      </div>
      <Button type="submit" className="mt-4">
        Check with these columns
      </Button>
    </form>
  );
}

function recognize(headers: readonly string[]): Mapping {
  const known = headers.flatMap((header) => {
    const column = columnOfHeader(header);
    return column === undefined ? [] : [[column, header] as const];
  });
  return Object.fromEntries(known);
}

function withColumn(mapping: Mapping, column: string, header: string): Mapping {
  const { [column]: _, ...others } = mapping;
  return header === '' ? others : { ...others, [column]: header };
}

/** 'Client Name' for clientInfo.name. */
export function headerOf(column: string): string {
  return humanise(column.replace('Info.', '.'));
}
