import { PageHead } from '../ui/panel.tsx';

export default function SignalsPage() {
  return <PageHead title="Signals" />;
}
