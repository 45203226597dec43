import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useNow } from '../../../ui/days.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { newestOf } from '../slice.ts';
import { ResponseMark } from './ResponseMark.tsx';

/** Inquiries that no one has answered, the soonest due first; the shell keeps them up to date. */
export function NewInquiries() {
  const page = useAppSelector(({ intakes }) => newestOf(intakes));
  const now = useNow();
  if (!page || page.intakes.length === 0) return null;
  return (
    <div className="mt-8">
      <SectionHeading
        aside={
          <Link to={paths.intakes} className="text-accent hover:underline">
            All intakes
          </Link>
        }
      >
        New inquiries
      </SectionHeading>
      <ul>
        {page.intakes.map((intake) => (
          <li key={intake.id}>
            <Link
              to={paths.intake(intake.id)}
              className="flex min-h-[55px] flex-col justify-center border-b border-line py-2 hover:bg-hover"
            >
              <span className="truncate font-medium">
                {intake.name}
                <span className="font-normal text-ink-3">{` · ${intake.type ?? 'Unknown'}`}</span>
              </span>
              <ResponseMark intake={intake} now={now} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
