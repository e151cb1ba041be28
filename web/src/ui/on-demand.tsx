// Parts of the page, most with code that loads when they are first shown. One that cannot be loaded or drawn says
// so and leaves the rest in use.

import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { ServiceError } from '../api/request.ts';
import { useRetry } from '../api/use-retry.ts';
import { useOutage } from '../live/live-context.tsx';
import { Button, MainButton } from './button.tsx';
import { Problem } from './panel.tsx';

interface Looks {
  /** As in "This chart could not be loaded". */
  what: string;
  /** Keeps the place while the code loads. */
  waiting: ReactNode;
}

/** Code that failed to load is requested again on a click, and automatically. */
export function onDemand<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { what, waiting }: Looks,
): ComponentType<P> {
  // A lazy component keeps its first result, even an error.
  let Loaded = lazy(load);
  const Latest = (props: P) => <Loaded {...props} />;
  const renew = () => {
    Loaded = lazy(load);
  };
  return (props: P) => (
    <LoadFault what={what} onRetry={renew}>
      <Suspense fallback={waiting}>
        <Latest {...props} />
      </Suspense>
    </LoadFault>
  );
}

interface FaultProps {
  what: string;
  /** Called before the part is tried again. */
  onRetry?: () => void;
  children: ReactNode;
}

export class LoadFault extends Component<FaultProps, { isFaulty: boolean }> {
  override state = { isFaulty: false };

  static getDerivedStateFromError() {
    return { isFaulty: true };
  }

  retry = (): void => {
    this.props.onRetry?.();
    this.setState({ isFaulty: false });
  };

  override render(): ReactNode {
    const { what, children } = this.props;
    return this.state.isFaulty ? <Fault what={what} onRetry={this.retry} /> : children;
  }
}

/** For any failure, because what was thrown does not say whether it can pass. */
const FAULT = new ServiceError(0, '', [], null);

function Fault({ what, onRetry }: { what: string; onRetry: () => void }) {
  const isOut = useOutage() !== null;
  const wasOut = useRef(isOut);
  useRetry(isOut ? null : FAULT, onRetry);
  useEffect(() => {
    if (wasOut.current && !isOut) onRetry();
    wasOut.current = isOut;
  }, [isOut, onRetry]);
  return (
    <section className="panel">
      <Problem>{`This ${what} could not be loaded. The service may be down or updating.`}</Problem>
      <div className="button-row">
        <MainButton onClick={onRetry}>Try again</MainButton>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </section>
  );
}
