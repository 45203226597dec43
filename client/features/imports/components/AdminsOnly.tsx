import FolderInput from 'lucide-react/icons/folder-input';
import { EmptyState } from '../../../ui/EmptyState.tsx';

/** In place of the pages, for others. */
export function AdminsOnly() {
  return (
    <EmptyState icon={FolderInput} title="Moving in is for admins">
      Ask an admin of your firm to bring in the records of another system.
    </EmptyState>
  );
}
