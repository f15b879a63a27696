import auditLog from './id/audit-log.json' with { type: 'json' };
import crypto from './id/crypto.json' with { type: 'json' };
import decisions from './id/decisions.json' with { type: 'json' };
import integration from './id/integration.json' with { type: 'json' };
import join from './id/join.json' with { type: 'json' };
import me from './id/me.json' with { type: 'json' };
import merchants from './id/merchants.json' with { type: 'json' };
import newLink from './id/new-link.json' with { type: 'json' };
import overview from './id/overview.json' with { type: 'json' };
import settings from './id/settings.json' with { type: 'json' };
import shell from './id/shell.json' with { type: 'json' };
import signIn from './id/sign-in.json' with { type: 'json' };
import team from './id/team.json' with { type: 'json' };
import transactions from './id/transactions.json' with { type: 'json' };

/** One file for each area of the account area; in keys their names have `_` for `-`. */
export default {
  audit_log: auditLog,
  crypto,
  decisions,
  integration,
  join,
  me,
  merchants,
  new_link: newLink,
  overview,
  settings,
  shell,
  sign_in: signIn,
  team,
  transactions,
};
