"""What the policy estimator needs: the environment as a task, and a rule set as a policy."""
