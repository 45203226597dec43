import { act, useState } from 'react';
import { expect, test, vi } from 'vitest';
import {
  button,
  click,
  descriptionOf,
  eventually,
  field,
  fill,
  render,
} from '../testing/render.tsx';
import { toast } from '../ui/toast-store.ts';
import { TextField } from './fields.tsx';
import { useSave } from './form.ts';
import { FormDialog } from './FormDialog.tsx';
import { useOthersChanges } from './others-changes.ts';

type Values = { title: string; note: string; place: string };

test('a form takes what someone else saves, and says so where it was changed here', async () => {
  const opened = { title: 'Answer', note: '', place: '' };
  const sent = vi.fn<(values: Values) => Promise<null>>(async () => null);
  let save: (values: Values) => void = () => undefined;
  function Dialog() {
    const [isOpen, setIsOpen] = useState(true);
    const [now, setNow] = useState<Values>(opened);
    save = setNow;
    const saving = useSave<Values, Values>(null, now, async (values) => {
      await sent(values);
      setIsOpen(false);
    });
    useOthersChanges(saving.form, now);
    return (
      isOpen && (
        <FormDialog saving={saving} title="Edit" submit="Save" onClose={() => undefined}>
          <TextField form={saving.form} name="title" label="Title" />
          <TextField form={saving.form} name="note" label="Note" />
          <TextField form={saving.form} name="place" label="Place" />
        </FormDialog>
      )
    );
  }
  const said = vi.spyOn(toast, 'plain');
  await render(<Dialog />);
  await fill(field('Note'), 'Mine');
  await fill(field('Place'), 'Part 22');
  await act(async () => save({ title: 'Answer and claims', note: 'Theirs', place: 'Part 22' }));
  expect(field('Title').value).toBe('Answer and claims');
  expect(descriptionOf(field('Title'))).toBe('');
  expect(field('Note').value).toBe('Mine');
  expect(descriptionOf(field('Note'))).toBe(
    'Someone else changed this to “Theirs” meanwhile. Saving replaces it.',
  );
  expect(descriptionOf(field('Place'))).toBe('');
  expect(said.mock.calls).toEqual([['Someone else changed 1 field that you changed, too']]);
  said.mockRestore();
  await click(button('Save'));
  expect(sent.mock.calls[0]?.[0]).toEqual({
    title: 'Answer and claims',
    note: 'Mine',
    place: 'Part 22',
  });
});

test('what the server makes of the own words is not taken for the change of someone else', async () => {
  function Edited({ now, save }: { now: Values; save: (values: Values) => Promise<void> }) {
    const saving = useSave<Values, Values>(null, now, save);
    useOthersChanges(saving.form, now);
    return (
      <FormDialog saving={saving} title="Edit" submit="Save" onClose={() => undefined}>
        <TextField form={saving.form} name="note" label="Note" />
      </FormDialog>
    );
  }
  function Page() {
    const [isOpen, setIsOpen] = useState(true);
    const [now, setNow] = useState<Values>({ title: 'Answer', note: '', place: '' });
    const save = async (values: Values) => {
      // As an event may, it arrives before the reply.
      setNow({ ...values, note: values.note.trim() });
      await new Promise((resolve) => setTimeout(resolve));
      setIsOpen(false);
    };
    return isOpen && <Edited now={now} save={save} />;
  }
  const said = vi.spyOn(toast, 'plain');
  await render(<Page />);
  await fill(field('Note'), 'Mine ');
  await click(button('Save'));
  await eventually(() => expect(document.querySelector('[role=dialog]')).toBeNull());
  expect(said).not.toHaveBeenCalled();
});
