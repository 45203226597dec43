// The rules by which the firm counts, and the calendars of its courts.

import ArrowLeft from 'lucide-react/icons/arrow-left';
import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { Jurisdiction, Rule } from '@matterdesk/contract/court-rules.ts';
import { paths } from '../../core/paths.ts';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CourtRow } from './components/CourtRow.tsx';
import { Section } from './components/DeadlineSection.tsx';
import { RuleRow } from './components/RuleRow.tsx';
import { useReader } from './components/use-reader.ts';
import { courtList } from './slice.ts';

const RuleDialog = lazy(async () => ({
  default: (await import('./components/RuleDialog.tsx')).RuleDialog,
}));
const CourtDialog = lazy(async () => ({
  default: (await import('./components/CourtDialog.tsx')).CourtDialog,
}));

type Opened = { rule: Rule | null } | { court: Jurisdiction | null } | null;

/** The view `?view=rules` of the calendar. */
export function RulesPage() {
  const { data, status, failure, refresh } = useResource(courtList, 'all');
  const { editsCalendar } = useReader();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const trail = (
    <Link to={`${paths.calendar}?view=deadlines`} className="inline-flex items-center gap-1">
      <ArrowLeft className="size-3.5" /> Deadlines
    </Link>
  );
  return (
    <div className="h-full overflow-y-auto">
      <PageHeader title="Court rules" trail={trail}>
        Matterdesk counts; an attorney decides. A rule stays unreviewed until someone of the firm
        has compared it with its source.
      </PageHeader>
      <div className="px-4 pt-5 pb-9 sm:px-9">
        {data ? (
          <>
            <Section
              title="Rules"
              total={data.rules.length}
              aside={
                editsCalendar && (
                  <Button size="small" icon={Plus} onClick={() => setOpened({ rule: null })}>
                    New rule
                  </Button>
                )
              }
            >
              <ul>
                {data.rules.map((rule) => (
                  <RuleRow
                    key={rule.id}
                    rule={rule}
                    court={data.jurisdictions.find(({ id }) => id === rule.jurisdiction)}
                    mayEdit={editsCalendar}
                    onEdit={() => setOpened({ rule })}
                  />
                ))}
              </ul>
            </Section>
            <Section
              title="Jurisdictions"
              total={data.jurisdictions.length}
              aside={
                editsCalendar && (
                  <Button size="small" icon={Plus} onClick={() => setOpened({ court: null })}>
                    New jurisdiction
                  </Button>
                )
              }
            >
              <ul>
                {data.jurisdictions.map((court) => (
                  <CourtRow
                    key={court.id}
                    court={court}
                    mayEdit={editsCalendar}
                    onEdit={() => setOpened({ court })}
                  />
                ))}
              </ul>
            </Section>
          </>
        ) : failure ? (
          <ErrorState
            title="Couldn’t load the rules"
            detail={failure.message}
            busy={status === 'loading'}
            onRetry={refresh}
          />
        ) : (
          <div className="animate-delayed space-y-3">
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-full" />
          </div>
        )}
      </div>
      <Suspense fallback={null}>
        {opened && 'rule' in opened && (
          <RuleDialog rule={opened.rule} courts={data?.jurisdictions ?? []} onClose={close} />
        )}
        {opened && 'court' in opened && <CourtDialog court={opened.court} onClose={close} />}
      </Suspense>
    </div>
  );
}
