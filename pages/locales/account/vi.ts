import auditLog from './vi/audit-log.json' with { type: 'json' };
import crypto from './vi/crypto.json' with { type: 'json' };
import decisions from './vi/decisions.json' with { type: 'json' };
import integration from './vi/integration.json' with { type: 'json' };
import join from './vi/join.json' with { type: 'json' };
import me from './vi/me.json' with { type: 'json' };
import merchants from './vi/merchants.json' with { type: 'json' };
import newLink from './vi/new-link.json' with { type: 'json' };
import overview from './vi/overview.json' with { type: 'json' };
import settings from './vi/settings.json' with { type: 'json' };
import shell from './vi/shell.json' with { type: 'json' };
import signIn from './vi/sign-in.json' with { type: 'json' };
import team from './vi/team.json' with { type: 'json' };
import transactions from './vi/transactions.json' with { type: 'json' };

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
