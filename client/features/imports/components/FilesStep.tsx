import { Link } from 'react-router';
import type { Import } from '@matterdesk/contract/imports.ts';
import { fullName } from '../../../core/full-name.ts';
import { counted, formatCount, fullMoment } from '../../../core/words.ts';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { KindName } from './KindName.tsx';
import { TwoColumns } from './TwoColumns.tsx';
import { isEmpty } from '../rules.columns.ts';
import { NEW_IMPORT } from '../rules.ts';

/** The first step of an import that has its files. */
export function FilesStep({ of }: { of: Import }) {
  const { files, fileCount, by, at } = of;
  const rest = fileCount - files.length;
  return (
    <TwoColumns
      aside={
        <>
          <h2 className="text-heading font-semibold">Other files</h2>
          <p className="mt-2 text-sm text-ink-2">
            The files of an import stay as they are. A newer export is a{' '}
            <Link to={NEW_IMPORT} className="link">
              new import
            </Link>
            : what came before is recognized, and comes only once.
          </p>
        </>
      }
    >
      <h2 className="text-heading font-semibold">{counted(fileCount, 'file')}</h2>
      <p className="text-sm text-ink-2">{`Added by ${fullName(by)}, ${fullMoment(at)}`}</p>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {files.map((file) => (
          <li key={file.path} className="flex min-h-10 items-center gap-4 py-1.5">
            <span className="min-w-0 grow wrap-anywhere">{file.path}</span>
            <span className="flex-none text-sm text-ink-2">
              <Reading of={file} />
            </span>
            <span className="w-16 flex-none text-right text-note text-ink-3 tabular-nums">
              {sizeInWords(file.size)}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="pt-3 text-sm text-ink-2">{`and ${formatCount(rest)} more`}</p>}
    </TwoColumns>
  );
}

function Reading({ of }: { of: Import['files'][number] }) {
  const { kind } = of;
  if (isEmpty(of)) return 'Empty';
  return kind === null ? 'Not read' : <KindName kind={kind} />;
}
