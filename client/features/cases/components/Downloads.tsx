import FileText from 'lucide-react/icons/file-text';
import type { Case } from '@matterdesk/contract/cases.ts';
import { Dash } from './Dash.tsx';

/** The newest files of a case: the first as a link, and the number of the others. */
export function Downloads({ files, tabIndex }: { files: Case['download']; tabIndex: number }) {
  const [first, ...others] = files;
  if (!first) return <Dash means="No files" />;
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-sm text-ink-2">
      <a
        href={first.url}
        title={first.name}
        tabIndex={tabIndex}
        className="flex min-h-6 min-w-6 items-center gap-1.5 rounded-small hover:text-ink"
      >
        <FileText />
        <span className="truncate">{first.name}</span>
      </a>
      {others.length > 0 && (
        <span title={others.map(({ name }) => name).join('\n')} className="flex-none tabular-nums">
          +{others.length}
        </span>
      )}
    </span>
  );
}
