import { useUploads } from '../hooks/use-uploads.ts';
import { UploadList } from './UploadList.tsx';

/** Uploads without a case. */
export function UnfiledUploads() {
  const uploads = useUploads().filter(({ caseId }) => caseId === '');
  if (uploads.length === 0) return null;
  return (
    <div className="border-t border-line px-4 py-2">
      <UploadList uploads={uploads} />
    </div>
  );
}
