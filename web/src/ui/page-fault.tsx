// What stands in place of a page that could not be shown, e.g. because its script could not be had: the frame around it,
// the live numbers and the other pages stay.

import { Component, type ReactNode } from 'react';
import { Problem } from './panel.tsx';

interface Props {
  children: ReactNode;
  /** Before the page is tried once more. */
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
