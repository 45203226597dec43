import Info from 'lucide-react/icons/info';
import MessageCircle from 'lucide-react/icons/message-circle';
import PhoneOff from 'lucide-react/icons/phone-off';
import { type SubmitEvent, useState, useRef } from 'react';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { type NumberOffer, messageRoutes } from '@matterdesk/contract/messages.ts';
import { CallError } from '../../../api.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { useIdempotencyKey } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { buyNumber, offersIn, wordsOf } from '../api.ts';
import { placeOf, priceInWords } from '../rules.ts';

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

const BuyQuestion = lazyNamed(() => import('./BuyQuestion.tsx'), 'BuyQuestion');

interface OffersProps {
  numbers: readonly NumberOffer[];
  /** The requested area code; empty for any. */
  areaCode: string;
  email: string;
  onFind: (areaCode: string) => void;
  onBought: (current: CurrentUser) => void;
}

/** The numbers for sale. */
function Offers({ numbers, areaCode, email, onFind, onBought }: OffersProps) {
  const purchase = usePurchase(email, onBought);
  const [asked, setAsked] = useState<NumberOffer | null>(null);
  return (
    <section aria-labelledby="offers-title" className="max-w-3xl px-4 py-6 sm:px-9">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 id="offers-title" className="text-heading font-semibold">
          Choose your number
        </h2>
        <AreaCode areaCode={areaCode} onFind={onFind} />
      </div>
      <p className="mt-4 flex items-center gap-2 rounded-control bg-amber-soft px-3 py-2 text-sm text-amber">
        <Info />
        This list is shown only once. Please refresh the page to see more numbers.
      </p>
      {numbers.length === 0 ? (
        <EmptyState
          icon={PhoneOff}
          title="No numbers available"
          action={areaCode !== '' && <Button onClick={() => onFind('')}>Any area code</Button>}
        >
          {areaCode === ''
            ? 'Twilio offers none right now. Try again later.'
            : `None with area code ${areaCode} right now.`}
        </EmptyState>
      ) : (
        <ul className="mt-4 border-t border-line">
          {numbers.map((offer) => (
            <Offer
              key={offer.phoneNumber}
              offer={offer}
              failure={
                purchase.failure?.phoneNumber === offer.phoneNumber
                  ? purchase.failure.words
                  : undefined
              }
              isBusy={purchase.buying === offer.phoneNumber}
              isOff={purchase.buying !== null && purchase.buying !== offer.phoneNumber}
              onBuy={() => setAsked(offer)}
            />
          ))}
        </ul>
      )}
      {asked && (
        <BuyQuestion
          offer={asked}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            void purchase.buy(asked.phoneNumber);
          }}
        />
      )}
    </section>
  );
}

interface OfferProps {
  offer: NumberOffer;
  failure: string | undefined;
  isBusy: boolean;
  /** Whether another number is being bought. */
  isOff: boolean;
  onBuy: () => void;
}

function Offer({ offer, failure, isBusy, isOff, onBuy }: OfferProps) {
  const { friendlyName, phoneNumber, capabilities, monthlyPrice } = offer;
  const can = [
    capabilities.voice && 'Voice',
    capabilities.SMS && 'SMS',
    capabilities.MMS && 'MMS',
  ].filter((capability) => capability !== false);
  return (
    <li className="border-b border-line">
      <div className="flex min-h-15 items-center gap-4 py-2">
        <div className="min-w-0 grow">
          <p className="font-medium tabular-nums">{friendlyName}</p>
          <p className="text-note text-ink-2">
            <span className="tabular-nums">{phoneNumber}</span>
            {` · ${placeOf(offer)}`}
            {monthlyPrice && ` · ${priceInWords(monthlyPrice)}`}
            <span className="sm:hidden">{` · ${can.join(', ')}`}</span>
          </p>
        </div>
        <span className="flex gap-1.5 max-sm:hidden">
          {can.map((capability) => (
            <Chip key={capability}>{capability}</Chip>
          ))}
        </span>
        <Button busy={isBusy} disabled={isOff} aria-label={`Buy ${friendlyName}`} onClick={onBuy}>
          Buy
        </Button>
      </div>
      {failure !== undefined && (
        <p role="alert" className="pb-2 text-note text-red">
          {failure}
        </p>
      )}
    </li>
  );
}

function AreaCode({ areaCode, onFind }: Pick<OffersProps, 'areaCode' | 'onFind'>) {
  const [text, setText] = useState(areaCode);
  const isWrong = text !== '' && !/^\d{3}$/.test(text);
  const [hasError, setHasError] = useState(false);
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setHasError(isWrong);
    if (!isWrong) onFind(text);
  };
  return (
    <form noValidate onSubmit={handleSubmit}>
      <div className="flex gap-2">
        <span className="w-28">
          <TextInput
            aria-label="Area code"
            aria-invalid={(hasError && isWrong) || undefined}
            aria-describedby="area-code-error"
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            placeholder="Area code"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </span>
        <Button type="submit" className="h-9!">
          Find numbers
        </Button>
      </div>
      <p id="area-code-error" role="alert" className="text-note text-red">
        {hasError && isWrong && 'Area Code must have three digits'}
      </p>
    </form>
  );
}

/** The placeholder of the list while it loads. */
function OffersSkeleton() {
  return (
    <div aria-busy="true" className="max-w-3xl px-4 py-6 sm:px-9">
      <span className="sr-only">Loading the numbers</span>
      <div className="flex h-9 items-center justify-between">
        <Skeleton className="h-5 w-44" />
        <Skeleton className="h-9 w-60" />
      </div>
      <Skeleton className="mt-4 h-[34px] w-full" />
      <div className="mt-4 border-t border-line">
        {['w-32', 'w-36', 'w-28', 'w-34', 'w-30'].map((width) => (
          <div key={width} className="flex h-15 items-center justify-between border-b border-line">
            <span className="flex flex-col gap-2">
              <Skeleton className={`h-3.5 ${width}`} />
              <Skeleton className="h-3 w-48" />
            </span>
            <Skeleton className="h-[34px] w-14" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The numbers for sale, loaded once `find` is called; '' finds any area code. */
function useOffers() {
  const [areaCode, setAreaCode] = useState<string | null>(null);
  const { data, failure, refresh } = useResource(offersIn, areaCode);
  const find = (next: string) => (next === areaCode ? refresh() : setAreaCode(next));
  const hasFailed = data === null && failure !== null;
  return {
    areaCode,
    numbers: data,
    failure: hasFailed ? wordsOf(failure, 'Error fetching numbers') : null,
    find,
  };
}

/** Buys a number once, however often the button is clicked. */
function usePurchase(email: string, onBought: (current: CurrentUser) => void) {
  const [buying, setBuying] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ phoneNumber: string; words: string } | null>(null);
  const running = useRef(false);
  const withKey = useIdempotencyKey();
  const buy = async (phoneNumber: string) => {
    if (running.current) return;
    running.current = true;
    setBuying(phoneNumber);
    setFailure(null);
    try {
      const { data } = await withKey(phoneNumber, (key) => buyNumber({ phoneNumber, email }, key));
      toast.success(messageRoutes.buyNumber.message);
      onBought(data);
    } catch (error) {
      setFailure({
        phoneNumber,
        words: wordsOf(error instanceof CallError ? error : null, 'Couldn’t buy the number'),
      });
    }
    running.current = false;
    setBuying(null);
  };
  return { buying, failure, buy };
}
