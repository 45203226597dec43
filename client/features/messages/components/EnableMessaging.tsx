import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import MessageCircle from 'lucide-react/icons/message-circle';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Offers, OffersSkeleton } from './Offers.tsx';
import { useOffers } from './use-offers.ts';

interface EnableMessagingProps {
  email: string;
  onBought: (current: CurrentUser) => void;
}

/** The way to a number of one's own. */
export function EnableMessaging({ email, onBought }: EnableMessagingProps) {
  const { offers, ask } = useOffers();
  if (offers.status === 'idle')
    return (
      <EmptyState
        icon={MessageCircle}
        title="Text your clients"
        action={
          <Button variant="primary" size="large" onClick={() => void ask('')}>
            Enable Messaging Service
          </Button>
        }
      >
        Choose your own number. Your conversations are saved here. Only you can see them.
      </EmptyState>
    );
  if (offers.status === 'loading') return <OffersSkeleton />;
  if (offers.status === 'failed')
    return <ErrorState title={offers.failure} onRetry={() => void ask(offers.areaCode)} />;
  return (
    <Offers
      numbers={offers.numbers}
      areaCode={offers.areaCode}
      email={email}
      onFind={(areaCode) => void ask(areaCode)}
      onBought={onBought}
    />
  );
}
