import Plus from 'lucide-react/icons/plus';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import type { Party } from '@matterdesk/contract/contacts.ts';
import { paths } from '../../core/paths.ts';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useSearchText } from '../../ui/use-search-text.ts';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/hooks/use-matter.ts';
import { AlertList } from './components/AlertList.tsx';
import { CheckTable } from './components/CheckTable.tsx';
import type { TypedName } from './rules.new.ts';
import { partiesOf } from '../contacts/slice.ts';
import { intakeOf } from '../intakes/slice.ts';
import { checkList } from './slice.ts';

const NewCheckDialog = lazy(async () => ({
  default: (await import('./components/NewCheckDialog.tsx')).NewCheckDialog,
}));

/** Conflict checks, newest first; `?case=` or `?intake=` narrows them, and a new one takes its names from there. */
export function ConflictsPage() {
  const [params, setParams] = useSearchParams();
  const caseId = params.get('case') ?? '';
  const intakeId = params.get('intake') ?? '';
  const search = (params.get('search') ?? '').trim().slice(0, 200);
  const { matter } = useMatter(caseId || null);
  const { data: parties } = useResource(partiesOf, caseId || null);
  const { data: detail } = useResource(intakeOf, intakeId || null);
  const change = (changes: Record<string, string>) =>
    setParams(
      Object.entries({ search, case: caseId, intake: intakeId, ...changes }).filter(
        ([, value]) => value !== '',
      ),
      { replace: true },
    );
  const [text, setText] = useSearchText(search, (next) => change({ search: next }));
  const [isAdding, setIsAdding] = useState(false);
  const navigate = useNavigate();
  const list = useResource(checkList, { search, caseId, intakeId });
  const { data, failure, status, refresh } = list;
  const isNarrow = search !== '' || caseId !== '' || intakeId !== '';
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      New Check
    </Button>
  );
  return (
    <>
      <PageHeader title="Conflict checks" actions={add}>
        {data ? countInWords(data.total, detail?.intake) : '\u00A0'}
      </PageHeader>
      <div className="px-4 pt-4 pb-9 sm:px-9">
        {!isNarrow && <AlertList />}
        {/* Nothing is shown that the alerts would push away. */}
        <div className="peer-data-waiting:hidden">
          <div className="mb-3 flex flex-wrap gap-2">
            <CaseDropdown
              aria-label="Matter"
              placeholder="All matters"
              className="w-64 max-sm:w-full"
              value={matter}
              onChange={(option) => change({ case: option?.id ?? '', intake: '' })}
            />
            <SearchInput
              placeholder="Search names"
              className="w-64 max-sm:w-full"
              maxLength={200}
              value={text}
              onChange={setText}
            />
          </div>
          {data && data.checks.length > 0 && <CheckTable checks={data.checks} />}
          {data?.checks.length === 0 && (
            <EmptyState
              icon={ShieldQuestion}
              title={isNarrow ? 'No match' : 'No conflict checks yet'}
              action={
                isNarrow ? (
                  <Button onClick={() => change({ search: '', case: '', intake: '' })}>
                    Clear search
                  </Button>
                ) : (
                  <Button onClick={() => setIsAdding(true)}>Run the first check</Button>
                )
              }
            >
              {isNarrow
                ? 'No check is about this.'
                : 'A check compares names with everything that the firm knows, and stays as a record.'}
            </EmptyState>
          )}
          {!data && failure && (
            <ErrorState
              title="Couldn’t load the conflict checks"
              detail={failure.message}
              busy={status === 'loading'}
              onRetry={refresh}
            />
          )}
          {!data && !failure && <Loading />}
          {list.cursor !== null && (
            <Button className="mt-5" busy={status === 'growing'} onClick={list.grow}>
              Show more
            </Button>
          )}
        </div>
      </div>
      <Suspense>
        {isAdding && (
          <NewCheckDialog
            {...(caseId !== '' && { caseId })}
            {...(intakeId !== '' && { intakeId })}
            names={detail ? ofIntake(detail.intake) : ofParties(parties ?? [])}
            onClose={() => setIsAdding(false)}
            onRun={({ id }) => void navigate(paths.conflict(id))}
          />
        )}
      </Suspense>
    </>
  );
}

function Loading() {
  return (
    <div className="space-y-4">
      {['h-11', 'h-11 ', 'h-11  ', 'h-11   ', 'h-11    '].map((height) => (
        <Skeleton key={height} className={`${height.trim()} w-full`} />
      ))}
    </div>
  );
}

function countInWords(total: number, intake: Intake | undefined): string {
  const checks = total === 1 ? '1 check' : `${total.toLocaleString('en-US')} checks`;
  return intake ? `${checks} of intake ${intake.number}, ${intake.name ?? 'erased'}` : checks;
}

function ofParties(parties: readonly Party[]): TypedName[] {
  return parties.map(({ contact, role }) => ({ name: contact.name, role }));
}

function ofIntake({ name, parties }: Intake): TypedName[] {
  const others = (parties ?? []).map((party) => ({ name: party.name, role: party.role }));
  return [...(name === null ? [] : [{ name, role: 'client' as const }]), ...others];
}
