import { useState } from 'react';
import { CallError } from '../../../api.ts';
import { localDay } from '../../../ui/days.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { toast } from '../../../ui/toast-store.ts';
import { exportCases } from '../api.ts';
import type { ListQuery } from '../rules.lists.ts';

/** Saves a list as a CSV file; one at a time. */
export function useExport() {
  const [isExporting, setIsExporting] = useState(false);
  const run = async (query: ListQuery) => {
    setIsExporting(true);
    try {
      const { blob, name } = await exportCases(query);
      // The server's day may be another one.
      saveFile(blob, name.replace(/\d{4}-\d\d-\d\d/, localDay(new Date())));
      toast.success('List exported');
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    } finally {
      setIsExporting(false);
    }
  };
  return { isExporting, exportList: (query: ListQuery) => void run(query) };
}
