import { type RefObject, useRef, useState } from 'react';
import type { TaskForm } from '@matterdesk/contract/tasks.ts';
import type { TrayItem } from '@matterdesk/contract/tray.ts';
import { useAppDispatch, useAppSelector, useMay } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { isHandledElsewhere } from '../../../ui/list-keys.ts';
import type { Option } from '../../../ui/option.ts';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import type { FilingChoice } from '../components/FilingPanel.tsx';
import { matterOption } from '../rules.ts';

// The list has loaded it before.
const load = () => import('../api.ts');

export type TrayActions = ReturnType<typeof useTrayActions>;

/** An item that is filed with a task, as it was when the dialog opened: a colleague may file it meanwhile. */
type TaskOf = { item: TrayItem; to: Option; folder: string };

interface TrayActionsOptions {
  /** The page, for its keys. */
  page: RefObject<HTMLElement | null>;
  /** Called once tasks of a case were added or removed. */
  onTasks: (caseId: string) => void;
  /** Called once an item is in the tray again. */
  onBack: (id: string) => void;
}

/** The acts on the shown item, by buttons and by keys. */
export function useTrayActions(item: TrayItem | undefined, options: TrayActionsOptions) {
  const { page, onTasks } = options;
  const dispatch = useAppDispatch();
  const canAddTasks = useMay('editTasks');
  const { isBusy, attempt } = useAttempt();
  const undo = useUndo(attempt, options);
  const [dialog, setDialog] = useState<TaskOf>();
  const other = useRef<{ focus: () => void }>(null);
  const chosen = useChoice(item);
  const { choice } = chosen;
  const id = item?.id;
  const file = (to: Option | null) => {
    if (!item) return;
    if (!to) return other.current?.focus();
    const { folder } = choice;
    void attempt({ id, to: to.id, folder }, async (key) =>
      dispatch((await load()).fileItem(item, { to, folder }, key)),
    );
  };
  const fileWithTask = async ({ case: caseId, ...task }: TaskForm, key: string) => {
    if (!dialog) return;
    const { fileItem } = await load();
    await dispatch(fileItem(dialog.item, { ...dialog, task }, key));
    onTasks(caseId);
  };
  const dismiss = () =>
    item &&
    void attempt({ id, dismiss: true }, async (key) =>
      dispatch((await load()).dismissItem(item, key)),
    );
  const openDialog = () => {
    const { matter: to, folder } = choice;
    if (item && to) setDialog({ item, to, folder });
    else other.current?.focus();
  };
  useTrayKeys(page, (key) => {
    if (key === 'u') return undo;
    if (!item) return undefined;
    if (key === 'x') return dismiss;
    if (key === '/') return () => openField(other.current);
    if (key === 't' && canAddTasks) return openDialog;
    const proposal = item.proposals[Number(key) - 1];
    return proposal && (() => file(matterOption(proposal.case)));
  });
  return {
    ...chosen,
    dialog,
    closeDialog: () => setDialog(undefined),
    openDialog: canAddTasks ? openDialog : undefined,
    file: () => file(choice.matter),
    fileWithTask,
    dismiss,
    undo,
    isBusy,
    other,
  };
}

type Attempt = ReturnType<typeof useAttempt>['attempt'];

function useUndo(attempt: Attempt, { onTasks, onBack }: TrayActionsOptions) {
  const dispatch = useAppDispatch();
  const last = useAppSelector(({ tray }) => tray.last);
  return () =>
    last &&
    void attempt({ undo: last.id }, async () => {
      await dispatch((await load()).undoAct(last));
      if (last.to && last.hasTask) onTasks(last.to.id);
      onBack(last.id);
    });
}

/** The first proposal, until another matter is chosen for this item. */
function useChoice(item: TrayItem | undefined) {
  const [chosen, setChosen] = useState<FilingChoice & { of: string | undefined }>();
  const { id, proposals: [first] = [] } = item ?? {};
  const choice: FilingChoice =
    chosen && chosen.of === id
      ? chosen
      : { matter: first ? matterOption(first.case) : null, folder: '' };
  const choose = (next: FilingChoice) => setChosen({ ...next, of: id });
  const fileButton = useRef<HTMLButtonElement>(null);
  const chooseOther = (matter: Option | null) => {
    choose({ ...choice, matter });
    if (matter) fileButton.current?.focus();
  };
  return { choice, choose, chooseOther, fileButton };
}

/** Opens a dropdown with the cursor in its search. */
function openField(field: { focus: () => void } | null) {
  field?.focus();
  if (document.activeElement instanceof HTMLElement) document.activeElement.click();
}

/** Runs the act of a key pressed anywhere on the page. A dropdown searches what is typed into it; Escape leaves it. */
function useTrayKeys(
  page: RefObject<HTMLElement | null>,
  actOf: (key: string) => (() => void) | undefined,
) {
  useDocumentKey((event) => {
    const { key, target } = event;
    if (key === 'Escape' && target instanceof HTMLElement && target.closest('[role=combobox]'))
      return target.blur();
    // A key that is held acts once.
    const act = isHandledElsewhere(event, page.current) || event.repeat ? undefined : actOf(key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}
