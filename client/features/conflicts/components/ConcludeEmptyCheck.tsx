import type { Check } from '@matterdesk/contract/conflicts.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { concludeCheck } from '../api.ts';

/** Concludes a check that found nothing, which is its reason. */
export function ConcludeEmptyCheck({
  check: { id, names },
}: {
  check: Pick<Check, 'id' | 'names'>;
}) {
  const { isBusy, attempt } = useAttempt();
  const conclude = () => {
    const reason = `No match for ${counted(names.length, 'name')}`;
    const body = { outcome: 'cleared' as const, reason };
    void attempt(body, () => concludeCheck({ params: { id }, body }));
  };
  return (
    <Button variant="primary" busy={isBusy} onClick={conclude}>
      Conclude as cleared
    </Button>
  );
}
