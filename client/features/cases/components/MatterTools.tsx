import Download from 'lucide-react/icons/download';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Upload from 'lucide-react/icons/upload';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { ListQuery } from '../slice.ts';
import { useExport } from './use-export.ts';

interface MatterToolsProps {
  /** The shown list. */
  query: ListQuery;
  onImport: () => void;
  /** The New Case button. */
  newCase: ReactNode;
}

/** The actions beside the title, for users who may create cases. */
export function MatterTools({ query, onImport, newCase }: MatterToolsProps) {
  const { isExporting, exportList } = useExport();
  return (
    <>
      <Tooltip text="Import cases" side="bottom">
        <IconButton label="Import cases" icon={Upload} onClick={onImport} />
      </Tooltip>
      <Tooltip text={isExporting ? 'Exporting…' : 'Export list'} side="bottom">
        <IconButton
          label="Export list"
          icon={isExporting ? LoaderCircle : Download}
          aria-busy={isExporting || undefined}
          aria-disabled={isExporting || undefined}
          className={isExporting ? '[&>svg]:animate-turn' : ''}
          onClick={() => !isExporting && exportList(query)}
        />
      </Tooltip>
      {newCase}
    </>
  );
}
