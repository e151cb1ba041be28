// Replaces a page that failed, e.g. because its script could not be loaded. The frame, the live numbers and
// the other pages keep working.

import { Component, type ReactNode } from 'react';
import { Problem } from './panel.tsx';

interface Props {
  children: ReactNode;
  /** Called before the page is loaded again. */
  onRetry: () => void;
}

export class PageFault extends Component<Props, { isFaulty: boolean }> {
  override state = { isFaulty: false };

  static getDerivedStateFromError() {
    return { isFaulty: true };
  }

  retry = (): void => {
    this.props.onRetry();
    this.setState({ isFaulty: false });
  };

  override render(): ReactNode {
    if (!this.state.isFaulty) return this.props.children;
    return (
      <section className="panel">
        <Problem>This page could not be loaded. The service may be down or updating.</Problem>
        <div className="button-row">
          <button type="button" className="button button-main" onClick={this.retry}>
            Try again
          </button>
          <button type="button" className="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      </section>
    );
  }
}
