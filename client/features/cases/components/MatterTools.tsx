import Download from 'lucide-react/icons/download';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Lock from 'lucide-react/icons/lock';
import Upload from 'lucide-react/icons/upload';
import type { ReactNode } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { ListQuery } from '../rules.lists.ts';
import { useExport } from './use-export.ts';

interface MatterToolsProps {
  /** The shown list. */
  query: ListQuery;
  onImport: () => void;
  /** Shows the restricted matters, for users who manage walls. */
  onWalls: () => void;
  /** The New Case button. */
  newCase: ReactNode;
}

/** The actions beside the title, for users who may create cases. */
export function MatterTools({ query, onImport, onWalls, newCase }: MatterToolsProps) {
  const managesWalls = useAppSelector(({ user }) => user.current?.permissions.manageWalls === true);
  const { isExporting, exportList } = useExport();
  return (
    <>
      {managesWalls && (
        <Tooltip text="Restricted matters" side="bottom">
          <IconButton label="Restricted matters" icon={Lock} onClick={onWalls} />
        </Tooltip>
      )}
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
