import { lazyNamed } from '../core/chunks.ts';
import { CaseDropdown } from '../features/cases/components/CaseDropdown.tsx';
import { CallCard } from '../features/stream/components/CallCard.tsx';
import type { Option } from '../ui/option.ts';

const TaskDialog = lazyNamed(
  () => import('../features/tasks/components/TaskDialog.tsx'),
  'TaskDialog',
);

/** The card of a call over all pages, with the dropdown and the dialog of other features. */
export function Call() {
  return <CallCard caseField={CaseDropdown} taskDialog={CallTask} />;
}

interface CallTaskProps {
  matter: Option | null;
  about: { title: string; text: string };
  onClose: () => void;
}

function CallTask(props: CallTaskProps) {
  return <TaskDialog {...props} task={null} column="intake" caseField={CaseDropdown} />;
}
