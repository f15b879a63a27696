import auditLog from './es/audit-log.json' with { type: 'json' };
import crypto from './es/crypto.json' with { type: 'json' };
import decisions from './es/decisions.json' with { type: 'json' };
import integration from './es/integration.json' with { type: 'json' };
import join from './es/join.json' with { type: 'json' };
import me from './es/me.json' with { type: 'json' };
import merchants from './es/merchants.json' with { type: 'json' };
import newLink from './es/new-link.json' with { type: 'json' };
import overview from './es/overview.json' with { type: 'json' };
import settings from './es/settings.json' with { type: 'json' };
import shell from './es/shell.json' with { type: 'json' };
import signIn from './es/sign-in.json' with { type: 'json' };
import team from './es/team.json' with { type: 'json' };
import transactions from './es/transactions.json' with { type: 'json' };

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
