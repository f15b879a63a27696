import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

interface ReceivedMail {
  /** Envelope. */
  from: string;
  to: string[];
  /** The message as it was sent, and parsed. */
  raw: string;
  message: Email;
}

/** A real SMTP server that stores received messages. */
export interface MailServer {
  url: string;
  port: number;
  received: ReceivedMail[];
  /** The settings that use it. */
  env: { SMTP_URL: string; EMAIL_FROM: string };
  /** Responses to `RCPT TO` and to the end of the message; null accepts. */
  refuseRecipient: (address: string) => SmtpRefusal | null;
  refuseMessage: () => SmtpRefusal | null;
  /** Delays the response to a received message. */
  accept: () => Promise<void>;
  /** Cuts the connection in the middle of the next messages. */
  cuts: number;
  close(): Promise<void>;
}

interface SmtpRefusal {
  code: number;
  text: string;
}

function refusal({ code, text }: SmtpRefusal): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const keep = async (raw: string, { envelope }: SMTPServerSession, done: () => void) => {
    const message = await new PostalMime().parse(raw);
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    mailServer.received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, message });
    await mailServer.accept();
    done();
  };
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, disableReverseLookup: true },
    ...options,
    onRcptTo({ address }, _session, done) {
      const refused = mailServer.refuseRecipient(address);
      done(refused ? refusal(refused) : null);
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      if (mailServer.cuts > 0) {
        mailServer.cuts -= 1;
        stream.once('data', () => {
          for (const connection of server.connections)
            (connection as unknown as { _socket: { destroy(): void } })._socket.destroy();
        });
      }
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const refused = mailServer.refuseMessage();
        if (refused) {
          done(refusal(refused));
          return;
        }
        const raw = Buffer.concat(parts).toString();
        void keep(raw, session, done);
      });
    },
  });
  server.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      resolve((listening.address() as { port: number }).port);
    });
  });
  const url = `smtp://127.0.0.1:${port}`;
  const mailServer: MailServer = {
    ...{ url, port, received: [], cuts: 0 },
    env: { SMTP_URL: url, EMAIL_FROM: 'Paylatch <pay@mail.example>' },
    refuseRecipient: () => null,
    refuseMessage: () => null,
    accept: () => Promise.resolve(),
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  return mailServer;
}
