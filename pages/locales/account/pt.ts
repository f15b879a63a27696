import auditLog from './pt/audit-log.json' with { type: 'json' };
import crypto from './pt/crypto.json' with { type: 'json' };
import decisions from './pt/decisions.json' with { type: 'json' };
import integration from './pt/integration.json' with { type: 'json' };
import join from './pt/join.json' with { type: 'json' };
import me from './pt/me.json' with { type: 'json' };
import merchants from './pt/merchants.json' with { type: 'json' };
import newLink from './pt/new-link.json' with { type: 'json' };
import overview from './pt/overview.json' with { type: 'json' };
import settings from './pt/settings.json' with { type: 'json' };
import shell from './pt/shell.json' with { type: 'json' };
import signIn from './pt/sign-in.json' with { type: 'json' };
import team from './pt/team.json' with { type: 'json' };
import transactions from './pt/transactions.json' with { type: 'json' };

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
