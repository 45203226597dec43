import { searchWords } from '@matterdesk/contract/search.ts';
import FileSearch from 'lucide-react/icons/file-search';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Marked } from '../../../ui/Marked.tsx';
import { foundFiles } from '../api.ts';
import { FileRow } from './FileRow.tsx';
import { useLibrary } from '../hooks/use-library.ts';
import { counted, formatCount } from '../../../core/words.ts';

/** Milliseconds during which the news of several files are combined into one fetch. */
const GATHER_MS = 300;

interface SearchedFilesProps {
  search: string;
  /** Only the texts of trained files are searched. */
  hasUntrained: boolean;
}

/** The files that a search found, with what it found in their texts. */
export function SearchedFiles({ search, hasUntrained }: SearchedFilesProps) {
  const { caseId } = useLibrary();
  const query = { caseId, search };
  const { data, status, failure, refresh, grow } = useResource(foundFiles, query, {
    gather: GATHER_MS,
  });
  const words = searchWords(search);
  if (!data)
    return failure ? (
      <ErrorState title="Couldn’t search the files" detail={failure.message} onRetry={refresh} />
    ) : (
      <div aria-busy="true" className="min-h-40" />
    );
  if (data.files.length === 0)
    return (
      <EmptyState icon={FileSearch} title="No files found">
        {hasUntrained ? 'The text of files is searched once they are trained.' : 'Try fewer words.'}
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="Files found" className="border-y border-line">
        {data.files.map(({ url, folder, excerpt }) => (
          <li key={url} data-row={url} className="border-t border-line first:border-t-0">
            <FileRow folder={folder} url={url} words={words} />
            {excerpt !== null && (
              <p className="mb-2 line-clamp-2 pr-1 pl-7.5 text-sm text-ink-2 wrap-anywhere">
                <Marked text={excerpt} words={words} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {data.nextCursor !== null && (
        <Button size="small" busy={status === 'growing'} onClick={grow} className="my-2">
          Show more
        </Button>
      )}
    </>
  );
}

/** '3 of 31 files', for the case's own count. */
export function FoundCount({ search, of }: { search: string; of: number }) {
  const { caseId } = useLibrary();
  const { data } = useResource(foundFiles, search === '' ? null : { caseId, search });
  const found = data ? `${formatCount(data.total, data.totalIsCapped)} of ` : '';
  return (
    <p role="status" className="text-sm whitespace-nowrap text-ink-3 tabular-nums">
      {search === '' || data ? `${found}${counted(of, 'file')}` : ''}
    </p>
  );
}
