import { useState } from 'react';
import { CallError } from '../../../api.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { toast } from '../../../ui/toast-store.ts';
import { exportEntries } from '../api.ts';
import type { Filters } from '../slice.ts';

/** Saves the filtered record as a CSV file; one at a time. */
export function useExport(filters: Filters) {
  const [isExporting, setIsExporting] = useState(false);
  const run = async () => {
    setIsExporting(true);
    try {
      const { blob, name } = await exportEntries(filters);
      saveFile(blob, name);
      toast.success('Record exported');
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    } finally {
      setIsExporting(false);
    }
  };
  return { isExporting, exportRecord: () => void run() };
}
