import { useUploads } from '../hooks/use-uploads.ts';
import { UploadList } from './UploadList.tsx';

/** Uploads without a case. */
export function UnfiledUploads() {
  const sendings = useUploads().filter(({ caseId }) => caseId === '');
  if (sendings.length === 0) return null;
  return (
    <div className="border-t border-line px-4 py-2">
      <UploadList sendings={sendings} />
    </div>
  );
}
