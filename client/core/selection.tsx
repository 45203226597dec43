// Rows of a list that are chosen for one act on all of them.

import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { CallError } from '../api.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Select.tsx';
import { toast } from '../ui/toast-store.ts';
import { personOption } from './full-name.ts';
import { usePeople } from './people.ts';

interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
}

const SelectionContext = createContext<Selection | null>(null);
const NONE: ReadonlySet<string> = new Set();

/** The selection of a list: off until the user asks for it, and while it is on, each row has a box. */
export function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const selection = useMemo(() => {
    if (ids === null) return null;
    const toggle = (id: string) => {
      const after = new Set(ids);
      if (!after.delete(id)) after.add(id);
      setIds(after);
    };
    return { ids, toggle };
  }, [ids]);
  return {
    selection,
    start: () => setIds(NONE),
    stop: () => setIds(null),
  };
}

/** Offers the selection to the rows of a list. */
export function SelectableRows(props: { selection: Selection | null; children: ReactNode }) {
  return <SelectionContext value={props.selection}>{props.children}</SelectionContext>;
}

/** The box of a row, while rows are selected. */
export function SelectBox({ id, name }: { id: string; name: string }) {
  const selection = use(SelectionContext);
  if (selection === null) return null;
  return (
    <label className="grid size-6 flex-none place-items-center pointer-coarse:size-11">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={selection.ids.has(id)}
        onChange={() => selection.toggle(id)}
        className="size-4 accent-accent"
      />
    </label>
  );
}

interface SelectionBarProps {
  selection: Selection | null;
  onStop: () => void;
  /** The acts on the chosen rows. */
  children: ReactNode;
}

/** Floats over the list while rows are selected, with the acts on them. */
export function SelectionBar({ selection, onStop, children }: SelectionBarProps) {
  if (selection === null) return null;
  const count = selection.ids.size;
  return (
    <section
      aria-label="Selection"
      className="fixed inset-x-3 bottom-4 z-30 mx-auto flex w-fit max-w-full animate-appear flex-wrap items-center gap-2 rounded-pop border border-line-strong bg-surface p-2 pl-4 shadow-float max-sm:bottom-20"
    >
      <p aria-live="polite" className="mr-2 font-medium tabular-nums">
        {count === 0 ? 'Select rows' : `${count} selected`}
      </p>
      {children}
      <Button variant="quiet" onClick={onStop}>
        Done
      </Button>
    </section>
  );
}

interface AssignSelectProps {
  label: string;
  disabled: boolean;
  onAssign: (id: string, name: string) => void;
}

/** Assigns the chosen rows to a person at once. */
export function AssignSelect({ label, disabled, onAssign }: AssignSelectProps) {
  const options = usePeople()
    .people.filter((person) => person.active)
    .map(personOption);
  return (
    <Select
      aria-label={label}
      placeholder={`${label} …`}
      options={options}
      value=""
      disabled={disabled}
      onChange={({ target }) =>
        onAssign(target.value, options.find(({ value }) => value === target.value)?.label ?? '')
      }
      className="w-44"
    />
  );
}

/** Changes under way at once. */
const MAX_CONCURRENT = 4;

interface BulkChange<Item> {
  change: (item: Item) => Promise<unknown>;
  /** Restores an item to its state before the change. */
  restore: (item: Item) => Promise<unknown>;
  /** After the number of changed items: 'cases archived'. */
  done: (count: number) => string;
}

/**
 * Changes each item, says how many were changed, and offers to undo just those. What is refused stays as it was, and the
 * first reason is shown.
 * @returns the items that were changed
 */
export async function changeEach<Item>(
  items: readonly Item[],
  act: BulkChange<Item>,
): Promise<Item[]> {
  const { passed, refusal } = await tryEach(items, act.change);
  if (refusal !== undefined) {
    const failed = items.length - passed.length;
    toast.error(`${failed} of ${items.length} could not be changed: ${refusal}`);
  }
  if (passed.length > 0)
    toast.plain(act.done(passed.length), {
      label: 'Undo',
      run: () =>
        void tryEach(passed, act.restore).then(({ refusal: reason }) => {
          if (reason !== undefined) toast.error(`Couldn’t undo everything: ${reason}`);
        }),
    });
  return passed;
}

async function tryEach<Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>) {
  const left = [...items];
  const passed: Item[] = [];
  const refusals: string[] = [];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      try {
        await run(item);
        passed.push(item);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        refusals.push(error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return { passed, refusal: refusals[0] };
}
