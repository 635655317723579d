"""What the two classifiers share: fitting, metrics, class weights, and candidates of a front."""
