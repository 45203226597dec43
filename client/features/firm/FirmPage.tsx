import { useFirm } from '../../core/use-firm.ts';
import { useAppSelector } from '../../core/store.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { FirmForm } from './components/FirmForm.tsx';

/** The settings of the whole firm, which admins change. */
export function FirmPage() {
  const { data, status, failure, refresh } = useFirm();
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  return (
    <>
      <PageHeader title="Firm">
        {isAdmin ? 'Settings for everyone.' : 'Only admins change these settings.'}
      </PageHeader>
      <div className="px-4 pt-5 pb-9 sm:px-9">
        {data ? (
          <FirmForm firm={data} isAdmin={isAdmin} onSaved={refresh} />
        ) : failure ? (
          <ErrorState
            title="Couldn’t load the settings"
            detail={failure.message}
            busy={status === 'loading'}
            onRetry={refresh}
          />
        ) : (
          <div className="animate-delayed space-y-5 border-t border-line pt-5">
            {['h-28', 'h-16', 'h-32'].map((height) => (
              <Skeleton key={height} className={`${height} w-full`} />
            ))}
          </div>
        )}
      </div>
    </>
  );
}
