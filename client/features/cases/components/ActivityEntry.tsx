import { Link } from 'react-router';
import type { Activity } from '@matterdesk/contract/cases.ts';
import { paths } from '../../../core/paths.ts';
import { activityInWords } from '../rules.ts';
import { momentInWords, exactMoment } from '../../../core/words.ts';

interface ActivityEntryProps {
  entry: Activity;
  caseId: string;
  now: Date;
}

/** An activity of a case, with a link to its subject. */
export function ActivityEntry({ entry, caseId, now }: ActivityEntryProps) {
  const { who, what, name, rest } = activityInWords(entry);
  const isTask = entry.entity === 'task';
  const isFile = entry.entity === 'file' || entry.entity === 'folder';
  return (
    <li className="text-sm">
      <p className="wrap-anywhere">
        {`${who} ${what} `}
        {name !== '' && <strong className="font-strong">{name}</strong>}
        {rest !== '' && ` ${rest}`}
      </p>
      <p className="flex items-baseline gap-2.5 text-xs/[1.125rem] text-ink-3">
        <time dateTime={entry.at} title={exactMoment(entry.at)}>
          {momentInWords(entry.at, now)}
        </time>
        <Link
          to={
            isTask
              ? paths.tasksOf(caseId)
              : { pathname: paths.caseDetails(caseId), hash: isFile ? 'files-title' : 'summary' }
          }
          className="link inline-flex min-h-6 items-center"
        >
          View
        </Link>
      </p>
    </li>
  );
}
