import FileDown from 'lucide-react/icons/file-down';
import { useAttempt } from '../../../core/use-attempt.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { exportDeadlines } from '../api.ts';

/** Saves the deadlines of a matter with their histories as PDF, for an insurer. */
export function ExportButton({ caseId }: { caseId: string }) {
  const { isBusy, attempt } = useAttempt();
  const body = { case: caseId };
  return (
    <IconButton
      label="Save the matter’s history as PDF"
      icon={FileDown}
      variant="quiet"
      size="small"
      disabled={isBusy}
      onClick={() => void attempt(body, () => exportDeadlines({ body }))}
    />
  );
}
