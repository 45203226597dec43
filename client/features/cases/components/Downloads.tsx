import FileText from 'lucide-react/icons/file-text';
import type { Case } from '@matterdesk/contract/cases.ts';
import { Dash } from './Dash.tsx';

/** The newest files of a case as links: the first by its name, the others as icons. */
export function Downloads({ files, tabIndex }: { files: Case['download']; tabIndex: number }) {
  if (files.length === 0) return <Dash means="No files" />;
  return (
    <ul className="flex min-w-0 items-center gap-1.5">
      {files.map(({ name, url }, index) => (
        <li key={url} className={index === 0 ? 'min-w-0' : 'flex-none'}>
          <a
            href={url}
            title={name}
            tabIndex={tabIndex}
            className="flex min-h-6 min-w-6 items-center gap-1.5 rounded-small text-sm text-ink-2 hover:text-ink"
          >
            <FileText />
            <span className="sr-only">{name}</span>
            {index === 0 && (
              <span aria-hidden="true" className="hidden truncate @min-[62rem]:block">
                {name}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
