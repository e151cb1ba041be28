import { PageHead } from '../../ui/panel.tsx';

export default function RecordPage() {
  return <PageHead title="Record" />;
}
