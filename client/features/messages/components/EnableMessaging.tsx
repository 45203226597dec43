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

/** Guides the user to buy a number. */
export function EnableMessaging({ email, onBought }: EnableMessagingProps) {
  const { areaCode, numbers, failure, find } = useOffers();
  if (areaCode === null)
    return (
      <EmptyState
        icon={MessageCircle}
        title="Text your clients"
        action={
          <Button variant="primary" size="large" onClick={() => find('')}>
            Enable Messaging Service
          </Button>
        }
      >
        Choose your own number. Your conversations are saved here. Only you can see them.
      </EmptyState>
    );
  if (failure !== null) return <ErrorState title={failure} onRetry={() => find(areaCode)} />;
  if (!numbers) return <OffersSkeleton />;
  return (
    <Offers numbers={numbers} areaCode={areaCode} email={email} onFind={find} onBought={onBought} />
  );
}
