import { Link } from 'react-router';
import type { Activity } from '@matterdesk/contract/cases.ts';
import { paths } from '../../../core/paths.ts';
import { useNow } from '../../../core/use-now.ts';
import { exactMoment, momentInWords } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { ActivityFeed } from '../rules.story.ts';
import { activityInWords } from '../rules.ts';

const SHOWN = 3;

interface LatestActivityProps {
  caseId: string;
  story: ActivityFeed | null;
  failure: string | null;
  onRetry: () => void;
}

/** The latest activity of a case. */
export function LatestActivity({ caseId, story, failure, onRetry }: LatestActivityProps) {
  const now = useNow();
  return (
    <section>
      <SectionHeading
        aside={
          story !== null && (
            <Link to="?tab=stream&kinds=all" className="link">
              View More
            </Link>
          )
        }
      >
        Latest Activity
      </SectionHeading>
      {story === null && failure === null && <EntrySkeletons />}
      {story && (
        <ul className="grid gap-3">
          {story.entries.slice(0, SHOWN).map((entry) => (
            <ActivityEntry key={entry.id} entry={entry} caseId={caseId} now={now} />
          ))}
        </ul>
      )}
      {failure !== null && (
        <p role="alert" className="mt-2 text-sm text-red">
          {failure}
          <Button size="small" onClick={onRetry} className="mt-2">
            Try again
          </Button>
        </p>
      )}
    </section>
  );
}

function EntrySkeletons() {
  return Array.from({ length: 3 }, (_, index) => (
    <div key={index} className="mb-3 h-9">
      <Skeleton className="mt-1 h-3.5 w-4/5" />
      <Skeleton className="mt-2 h-3 w-1/3" />
    </div>
  ));
}

interface ActivityEntryProps {
  entry: Activity;
  caseId: string;
  now: Date;
}

/** An activity of a case, with a link to its subject. */
function ActivityEntry({ entry, caseId, now }: ActivityEntryProps) {
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
