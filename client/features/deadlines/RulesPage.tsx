// The rules by which the firm counts, and the calendars of its courts.

import ArrowLeft from 'lucide-react/icons/arrow-left';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Jurisdiction, Rule, RuleStep } from '@matterdesk/contract/court-rules.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { zoneInWords } from '../../core/time-zones.ts';
import { useAttempt } from '../../core/use-attempt.ts';
import { useFirm } from '../../core/use-firm.ts';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { signRule } from './api.ts';
import { Section } from './components/Section.tsx';
import { useReader } from './hooks/use-reader.ts';
import { spanInWords } from './rules.counting.ts';
import { courtList } from './slice.ts';

const RuleDialog = lazyNamed(() => import('./components/RuleDialog.tsx'), 'RuleDialog');
const CourtDialog = lazyNamed(() => import('./components/CourtDialog.tsx'), 'CourtDialog');

type OpenDialog = { rule: Rule | null } | { court: Jurisdiction | null } | null;

/** The view `?view=rules` of the calendar. */
export function RulesPage() {
  const { data, status, failure, refresh } = useResource(courtList, 'all');
  const { editsCalendar } = useReader();
  const { data: firm } = useFirm();
  const [opened, setOpened] = useState<OpenDialog>(null);
  const close = () => setOpened(null);
  // No event says that someone changed one, so it is read again before it is edited.
  const edit = (item: OpenDialog) => {
    refresh();
    setOpened(item);
  };
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
              note={
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
                    onEdit={() => edit({ rule })}
                  />
                ))}
              </ul>
            </Section>
            <Section
              title="Jurisdictions"
              total={data.jurisdictions.length}
              note={
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
                    onEdit={() => edit({ court })}
                  />
                ))}
              </ul>
            </Section>
          </>
        ) : (
          <Pending of={{ failure, status, refresh }} what="the rules">
            <div className="animate-delayed space-y-3">
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-10 w-full" />
            </div>
          </Pending>
        )}
      </div>
      {opened && 'rule' in opened && (
        <RuleDialog
          rule={asItIsNow(opened.rule, data?.rules)}
          courts={data?.jurisdictions ?? []}
          onClose={close}
        />
      )}
      {opened && 'court' in opened && (
        <CourtDialog
          court={asItIsNow(opened.court, data?.jurisdictions)}
          firmZone={firm?.timeZone ?? 'America/New_York'}
          onClose={close}
        />
      )}
    </div>
  );
}

/** An item of the list that a dialog was opened for, as someone else may have changed it since. */
function asItIsNow<T extends { id: string }>(opened: T | null, list: readonly T[] = []): T | null {
  return opened && (list.find(({ id }) => id === opened.id) ?? opened);
}

interface CourtRowProps {
  court: Jurisdiction;
  mayEdit: boolean;
  onEdit: () => void;
}

/** A jurisdiction and the years for which its holidays are known. */
function CourtRow({ court, mayEdit, onEdit }: CourtRowProps) {
  const { name, timeZone, holidays } = court;
  const [first, last] = [holidays.at(0)?.date.slice(0, 4), holidays.at(-1)?.date.slice(0, 4)];
  const years = first === undefined ? 'no holidays yet' : `holidays of ${first} to ${last}`;
  return (
    <li className="flex min-h-11 items-center justify-between gap-4 border-b border-line py-2">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-note text-ink-2">
          {zoneInWords(timeZone)} · {years}
        </p>
      </div>
      {mayEdit && (
        <Button size="small" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
      )}
    </li>
  );
}

interface RuleRowProps {
  rule: Rule;
  court: Jurisdiction | undefined;
  mayEdit: boolean;
  onEdit: () => void;
}

/** A rule with its steps, and whether someone of the firm has signed it. */
function RuleRow({ rule, court, mayEdit, onEdit }: RuleRowProps) {
  const { isBusy, attempt } = useAttempt();
  const { id, name, trigger, version, reviewed } = rule;
  const body = { reviewed: !reviewed };
  const sign = () => void attempt(body, () => signRule({ params: { id }, body }));
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span>
            <Chip tone={reviewed ? 'green' : 'amber'}>
              {reviewed ? 'Reviewed' : 'Not reviewed'}
            </Chip>
          </p>
          <p className="text-note text-ink-2">
            {court?.name ?? ''} · from {trigger} · version {version}
          </p>
        </div>
        {mayEdit && (
          <div className="flex gap-2">
            <Button size="small" busy={isBusy} onClick={sign} aria-label={signLabel(rule)}>
              {reviewed ? 'Withdraw review' : 'Sign as reviewed'}
            </Button>
            <Button size="small" onClick={onEdit} aria-label={`Edit ${name}`}>
              Edit
            </Button>
          </div>
        )}
      </div>
      <ul className="mt-1.5">
        {rule.steps.map((step) => (
          <Step key={`${step.title} ${step.count}`} step={step} />
        ))}
      </ul>
    </li>
  );
}

function signLabel({ name, reviewed }: Rule): string {
  return reviewed ? `Withdraw review of ${name}` : `Sign ${name} as reviewed`;
}

function Step({ step }: { step: RuleStep }) {
  return (
    <li className="text-sm">
      {step.title}: {spanInWords(step)}
      <span className="text-ink-3">
        {step.authority && ` · ${step.authority}`} · {step.hard ? 'hard' : 'soft'}
      </span>
    </li>
  );
}
