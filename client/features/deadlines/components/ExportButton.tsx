import FileDown from 'lucide-react/icons/file-down';
import { useState } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { exportDeadlines } from '../api.ts';

/** Saves the deadlines of a matter with their histories as PDF, for an insurer. */
export function ExportButton({ caseId }: { caseId: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const save = () => {
    setIsBusy(true);
    void exportDeadlines({ body: { case: caseId } })
      .catch(() => undefined)
      .finally(() => setIsBusy(false));
  };
  return (
    <IconButton
      label="Save the matter’s history as PDF"
      icon={FileDown}
      variant="quiet"
      size="small"
      disabled={isBusy}
      onClick={save}
    />
  );
}
